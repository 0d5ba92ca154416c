"""Takes the Python of a wheel (argv[1]) into a folder (argv[2]): what measures needs no more of it."""
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1]) as wheel:
    for item in wheel.infolist():
        if item.file_size < 1 << 20 and (".dist-info/" in item.filename or item.filename.endswith((".py", ".yaml", ".json", ".toml"))):
            wheel.extract(item, sys.argv[2])
