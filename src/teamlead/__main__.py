from teamlead.cli.main import main

main()
