<?php
// CSVs of PHP's fputcsv, and PDFs of TCPDF and Dompdf with a table of HTML.
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
require '/usr/share/php/dompdf/autoload.php';
$html = '<style>table{font-size:6pt}</style><table>';
foreach ($few as $e)
    $html .= "<tr><td>{$e['time']}</td><td>{$e['id']}</td><td>{$e['event_type']}</td><td>" . htmlspecialchars($e['comment']) . '</td></tr>';
$dompdf = new Dompdf\Dompdf();
$dompdf->setPaper('A4', 'landscape');
$dompdf->loadHtml("$html</table>");
$dompdf->render();
file_put_contents('dompdf.pdf', $dompdf->output());
