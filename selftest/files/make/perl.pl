# A CSV of Text::CSV_XS, and a PDF of PDF::API2.
use strict;
use warnings;
use JSON::PP;
use PDF::API2;
use Text::CSV_XS;

my $few = decode_json(do { local (@ARGV, $/) = 'few.json'; <> });
my @columns = qw(id time auditee_id event_type sub_type system_source task_id tag comment);
my $csv = Text::CSV_XS->new({ binary => 1, eol => "\r\n" });
open my $file, '>:encoding(utf8)', 'perl-csv-xs.csv' or die;
$csv->print($file, \@columns);
$csv->print($file, [@$_{@columns}]) for @$few;
close $file;

my $pdf = PDF::API2->new();
my $font = $pdf->corefont('Courier');
for (my $start = 0; $start < @$few; $start += 40) {
    my $page = $pdf->page();
    $page->mediabox(842, 595);
    for my $line (0 .. 39) {
        my $event = $few->[$start + $line] or last;
        my $text = $page->text();
        $text->font($font, 7);
        $text->translate(20, 560 - 13 * $line);
        $text->text(join '  ', @$event{qw(time id event_type sub_type)});
    }
}
$pdf->saveas('perl-pdf-api2.pdf');
