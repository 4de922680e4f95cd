# A CSV of Text::CSV_XS.
use strict;
use warnings;
use JSON::PP;
use Text::CSV_XS;

my $few = decode_json(do { local (@ARGV, $/) = 'few.json'; <> });
my @columns = qw(id time auditee_id event_type sub_type system_source task_id tag comment);
my $csv = Text::CSV_XS->new({ binary => 1, eol => "\r\n" });
open my $file, '>:encoding(utf8)', 'perl-csv-xs.csv' or die;
$csv->print($file, \@columns);
$csv->print($file, [@$_{@columns}]) for @$few;
close $file;
