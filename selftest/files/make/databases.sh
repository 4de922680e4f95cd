#!/usr/bin/env bash
# CSVs that databases write, each with its defaults. Run in a folder with few.sql.
set -eu
here=$PWD
base=$(mktemp -d)
chmod 777 "$base"

sqlite3 "$base/few.db" < few.sql
sqlite3 -header -csv "$base/few.db" 'SELECT * FROM events' > sqlite-csv.csv
sqlite3 -header -cmd '.mode quote' "$base/few.db" 'SELECT * FROM events' > sqlite-quote.csv
sqlite3 -header -list "$base/few.db" 'SELECT id, time, event_type, sub_type, system_source, tag FROM events' > sqlite-list.csv

bin=$(ls -d /usr/lib/postgresql/*/bin)
cp few.sql "$base/few.sql" && chmod 644 "$base/few.sql"
su postgres -s /bin/bash -c "
  $bin/initdb -D $base/pg -E UTF8 --locale=C.UTF-8 >/dev/null
  $bin/pg_ctl -D $base/pg -o '-k $base -h \"\" -p 54329' -w start >/dev/null
  psql -q -h $base -p 54329 -d postgres -f $base/few.sql
  psql -h $base -p 54329 -d postgres -c 'COPY events TO STDOUT WITH (FORMAT csv, HEADER)' > $base/postgres-csv.csv
  psql -h $base -p 54329 -d postgres -c 'COPY events TO STDOUT' > $base/postgres-text.csv
  psql -h $base -p 54329 -d postgres --csv -c 'SELECT * FROM events' > $base/psql-csv.csv
  $bin/pg_ctl -D $base/pg stop >/dev/null
"
cp "$base"/postgres-*.csv "$base/psql-csv.csv" "$here"

mysql_install_db --datadir="$base/my" --auth-root-authentication-method=normal --user=mysql >/dev/null 2>&1 || true
chown -R mysql "$base/my"
mysqld --no-defaults --user=mysql --datadir="$base/my" --socket="$base/my.sock" --skip-networking --secure-file-priv= --character-set-server=utf8mb4 2>/dev/null &
server=$!
for _ in $(seq 60); do mysqladmin --no-defaults -S "$base/my.sock" ping >/dev/null 2>&1 && break; sleep 0.5; done
my() { mysql --no-defaults --default-character-set=utf8mb4 -S "$base/my.sock" "$@"; }
my -e 'CREATE DATABASE few CHARACTER SET utf8mb4'
{ echo "SET sql_mode='NO_BACKSLASH_ESCAPES';"; cat few.sql; } | my few
my few -e "SELECT * FROM events INTO OUTFILE '$base/mariadb-outfile.csv'"
my few -e "SELECT * FROM events INTO OUTFILE '$base/mariadb-outfile-csv.csv' FIELDS TERMINATED BY ',' OPTIONALLY ENCLOSED BY '\"'"
my few --batch -e 'SELECT * FROM events' > "$base/mariadb-batch.csv"
cp "$base"/mariadb-*.csv "$here"
kill $server
wait $server || true
rm -rf "$base"
