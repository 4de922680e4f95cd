accepted() { case $(cat "$dir/$1.status") in 2*) ;; 401) stop 'API_KEY is not accepted' ;; *) stop "$1 was refused" ;; esac; }
