import Glibc

exit(Bench.main())
