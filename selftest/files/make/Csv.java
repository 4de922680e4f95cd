// CSVs of Apache Commons CSV and opencsv in their own formats, and a PDF each of PDFBox and iText 2,
// of the Debian packages libcommons-csv-java, libopencsv-java, libpdfbox-java and libitext-java.
//   jars=$(printf '/usr/share/java/%s.jar:' commons-csv opencsv commons-lang3 pdfbox fontbox commons-logging itext)
//   javac -cp "$jars" Csv.java && java -cp "$jars." Csv
import com.lowagie.text.*;
import com.lowagie.text.pdf.*;
import com.opencsv.CSVWriter;
import java.io.*;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import java.util.List;
import org.apache.commons.csv.*;
import org.apache.pdfbox.pdmodel.*;
import org.apache.pdfbox.pdmodel.edit.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.apache.pdfbox.pdmodel.font.PDType1Font;

public class Csv {
  public static void main(String[] arguments) throws Exception {
    // Cells divided by U+001F and rows by U+001E, so that no library is needed to read them.
    List<String[]> rows = new ArrayList<>();
    for (String row : Files.readString(Path.of("few.cells")).split("\u001e"))
      rows.add(row.split("\u001f", -1));
    Map<String, CSVFormat> formats = new LinkedHashMap<>();
    formats.put("default", CSVFormat.DEFAULT);
    formats.put("excel", CSVFormat.EXCEL);
    formats.put("mysql", CSVFormat.MYSQL);
    formats.put("tdf", CSVFormat.TDF);
    for (var format : formats.entrySet())
      try (var writer = new FileWriter("commons-csv-" + format.getKey() + ".csv", StandardCharsets.UTF_8);
          var printer = new CSVPrinter(writer, format.getValue())) {
        for (String[] row : rows) printer.printRecord((Object[]) row);
      }
    try (var writer = new CSVWriter(new FileWriter("opencsv.csv", StandardCharsets.UTF_8))) {
      writer.writeAll(rows);
    }
    try (var document = new PDDocument()) {
      for (int start = 1; start < rows.size(); start += 40) {
        var page = new PDPage(new PDRectangle(842, 595));
        document.addPage(page);
        try (var content = new PDPageContentStream(document, page)) {
          for (int at = start; at < Math.min(rows.size(), start + 40); at++) {
            content.beginText();
            content.setFont(PDType1Font.COURIER, 7);
            content.moveTextPositionByAmount(20, 560 - (at - start) * 13);
            String[] row = rows.get(at);
            content.drawString(row[1] + "  " + row[0] + "  " + row[3] + "  " + row[4]);
            content.endText();
          }
        }
      }
      document.save("pdfbox.pdf");
    }
    var document = new Document(PageSize.A4.rotate());
    PdfWriter.getInstance(document, new FileOutputStream("itext2.pdf"));
    document.open();
    var table = new PdfPTable(4);
    table.setWidthPercentage(100);
    for (String[] row : rows)
      for (int column : new int[] {1, 0, 3, 4})
        table.addCell(new Phrase(row[column], new Font(Font.HELVETICA, 7)));
    document.add(table);
    document.close();
  }
}
