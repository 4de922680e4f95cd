accepted() { case $(cat "$dir/$1.status") in 2*) ;; "$bad_key") stop 'API_KEY is not accepted' ;; *) stop "$1 was refused" ;; esac; }
