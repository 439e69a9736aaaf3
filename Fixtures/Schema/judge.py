"""Judges recorded documents with jsonschema, a validator that is not of this package.

    SCHEMA_RECORD=/tmp/record.json swift test --filter SchemaAgreementTests
    python3 Fixtures/Schema/judge.py /tmp/record.json

It fails if a schema refuses a document that the service accepts.
"""

import json
import sys

import jsonschema


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        groups = json.load(file)
    accepted = refused = wrong = 0
    for group in groups:
        validator = jsonschema.Draft202012Validator
        validator.check_schema(group["schema"])
        judge = validator(group["schema"])
        for item in group["documents"]:
            errors = list(judge.iter_errors(json.loads(item["document"])))
            accepted += not errors
            refused += bool(errors)
            if errors and item["service"]:
                wrong += 1
                print("refused, although the service accepts it:", item["document"], errors[0].message)
    print(f"jsonschema: {accepted} documents accepted, {refused} refused, {wrong} wrongly")
    sys.exit(1 if wrong else 0)


main()
