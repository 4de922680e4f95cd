<?php
// CSVs of PHP's fputcsv, and a PDF of TCPDF with a table of HTML.
$few = json_decode(file_get_contents('few.json'), true);
$all = json_decode(file_get_contents('events.json'), true);
foreach (['php-fputcsv.csv' => ',', 'php-fputcsv-semicolon.csv' => ';'] as $name => $delimiter) {
    $file = fopen($name, 'w');
    fputcsv($file, array_keys($few[0]), $delimiter);
    foreach ($few as $event) fputcsv($file, $event, $delimiter);
    fclose($file);
}
require_once '/usr/share/php/tcpdf/tcpdf.php';
$pdf = new TCPDF('L');
$pdf->SetFont('helvetica', '', 7);
$pdf->AddPage();
$rows = '';
foreach ($all as $event)
    $rows .= "<tr><td>{$event['time']}</td><td>{$event['id']}</td><td>{$event['event_type']}</td><td>{$event['sub_type']}</td></tr>";
$pdf->writeHTML("<table border=\"1\">$rows</table>");
$pdf->Output(getcwd() . '/tcpdf.pdf', 'F');
