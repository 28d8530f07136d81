import Commands
import Glibc

exit(Program.main(CommandLine.arguments))
