package io.snowlease.admin.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows, compiles, and names what there is. */
class ReadmeTest {
    private static final Path ROOT = root();
    private static final Pattern JAVA = Pattern.compile("```java\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern COORDINATE = Pattern.compile("<artifactId>(snowlease-[a-z-]+)</artifactId>");

    @TempDir
    private Path classes;

    private static Path root() {
        for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
            if (Files.exists(folder.resolve("README.md"))) {
                return folder;
            }
        }
        throw new IllegalStateException("no README.md above " + Path.of("").toAbsolutePath());
    }

    private static String readme() throws IOException {
        return Files.readString(ROOT.resolve("README.md"));
    }

    @Test
    void itsJavaCompiles() throws IOException {
        List<String> snippets = new ArrayList<>();
        Matcher matcher = JAVA.matcher(readme());
        while (matcher.find()) {
            snippets.add(matcher.group(1));
        }
        assertThat(snippets).hasSizeGreaterThanOrEqualTo(2);
        for (int i = 0; i < snippets.size(); i++) {
            assertThat(errors("Snippet" + i, snippets.get(i)))
                    .as(snippets.get(i))
                    .isEmpty();
        }
    }

    @Test
    void itsCoordinatesAreInTheBom() throws IOException {
        String bom = Files.readString(ROOT.resolve("registry/bom/pom.xml"));
        List<String> named = COORDINATE
                .matcher(readme())
                .results()
                .map(found -> found.group(1))
                .toList();
        assertThat(named).isNotEmpty();
        assertThat(named).allSatisfy(artifact -> assertThat(bom).contains("<artifactId>" + artifact + "</artifactId>"));
    }

    @Test
    void itsFilesAreThere() throws IOException {
        List<String> linked = Pattern.compile("\\]\\(([A-Za-z][A-Za-z0-9./-]*)\\)")
                .matcher(readme())
                .results()
                .map(found -> found.group(1))
                .filter(link -> !link.startsWith("http"))
                .toList();
        assertThat(linked).isNotEmpty();
        assertThat(linked).allSatisfy(link -> assertThat(ROOT.resolve(link)).exists());
    }

    private List<String> errors(String name, String body) {
        String source = """
                import io.snowlease.generator.*;
                import io.snowlease.generator.local.*;
                import io.snowlease.registry.*;
                import java.nio.file.Path;
                class %s {
                    void run() throws Exception {
                        %s
                    }
                }
                """.formatted(name, body);
        JavaFileObject file =
                new SimpleJavaFileObject(URI.create("string:///" + name + ".java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        boolean compiled = compiler.getTask(
                        null, null, found, List.of("-d", classes.toString(), "-proc:none"), null, List.of(file))
                .call();
        List<String> errors = found.getDiagnostics().stream()
                .filter(one -> one.getKind() == Diagnostic.Kind.ERROR)
                .map(Object::toString)
                .toList();
        assertThat(compiled).isEqualTo(errors.isEmpty());
        return errors;
    }
}
