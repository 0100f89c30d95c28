"""What agents hand in: their text into checked values. No file is read here, and no command run.

catalogue.py  every form: what it asks for, its sections, its schema, its reader
results/      reports in the form of the contract
answers/      the JSON of models that the lead consults
citations/    `file:line`, with the code that is quoted for it
opinions.py   what a result says of which place; aggregation.py several results as one
feedback.py   what an agent says of its work in passing
labels.py     the words of a report in English, Japanese and Korean
"""
