"""Calls of Java's code for keys: one machine compiles each design's class, loads it and answers."""

import functools
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from designer.document import Spec
from reviews.exports.code import make
from tests.contexts import Content

from .code_calls import Call, typescript_name

RUNNER = r"""
import java.io.*;
import java.lang.reflect.*;
import java.math.BigInteger;
import java.net.*;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.*;
import javax.tools.*;

public class Run {
  public static void main(String[] folders) throws Exception {
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Kiritimati"));
    for (String folder : folders) {
      Path here = Path.of(folder);
      String file;
      try (DirectoryStream<Path> found = Files.newDirectoryStream(here, "*.java")) {
        file = found.iterator().next().toString();
      }
      int compiled = ToolProvider.getSystemJavaCompiler().run(null, System.out, System.err,
          "-Xlint:all", "-Werror", "-encoding", "UTF-8", "--release", "17", "-d", folder, file);
      if (compiled != 0) throw new IllegalStateException(file);
      try (URLClassLoader loader = new URLClassLoader(new URL[] {here.toUri().toURL()})) {
        answer(here, loader.loadClass(Path.of(file).getFileName().toString().replace(".java", "")));
      }
    }
  }

  static void answer(Path here, Class<?> keys) throws Exception {
    Map<String, Method> methods = new HashMap<>();
    for (Method one : keys.getMethods()) methods.put(one.getName(), one);
    try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(here.resolve("answers")))) {
      for (String line : Files.readAllLines(here.resolve("calls"))) {
        String[] call = line.split("\t");
        Object[] given = Arrays.stream(call).skip(1).map(Run::given).toArray();
        try {
          out.println(told(methods.get(call[0]).invoke(null, given)));
        } catch (InvocationTargetException error) {
          if (!(error.getCause() instanceof IllegalArgumentException)) throw error;
          out.println("refused");
        }
      }
      out.println(methods.get("verify").invoke(null));
    }
  }

  static Object given(String text) {
    String value = text.substring(1);
    switch (text.charAt(0)) {
      case 'n': return new BigInteger(value).longValue();
      case 't': return Boolean.valueOf(value);
      case 's': return ByteBuffer.wrap(HexFormat.of().parseHex(value)).asCharBuffer().toString();
      default: return HexFormat.of().parseHex(value);
    }
  }

  static String word(Object value) {
    if (value instanceof byte[] bytes) return "b" + HexFormat.of().formatHex(bytes);
    if (value instanceof String text) return "s" + HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    return (value instanceof Boolean ? "t" : "n") + value;
  }

  static String told(Object answer) throws Exception {
    if (answer instanceof String || answer instanceof Long) return answer.toString();
    if (answer instanceof byte[] bytes) return HexFormat.of().formatHex(bytes);
    StringJoiner all = new StringJoiner(" ");
    if (answer instanceof List<?> list) for (Object one : list) all.add(told(one).replace(' ', '-'));
    RecordComponent[] parts = answer.getClass().getRecordComponents();
    if (parts != null && answer.getClass().getSimpleName().equals("RowRange"))
      for (RecordComponent one : parts) all.add(told(one.getAccessor().invoke(answer)));
    else if (parts != null) for (RecordComponent one : parts) all.add(word(one.getAccessor().invoke(answer)));
    return all.toString();
  }
}
"""


SHORT_RUN = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xshare:auto")
"""Options of a virtual machine that compiles a file and ends: to optimize what it runs takes longer than to run it."""


@functools.cache
def java() -> str:
    """Return the command that runs Java 17; skips the test where there is no compiler of it."""
    found, compiler = shutil.which("java"), shutil.which("javac")
    if found is None or compiler is None:
        pytest.skip("there is no javac, so Java's code is not tried")
    return found


def java_answers(folder: Path, designs: Mapping[str, tuple[Spec, Sequence[Call]]]) -> dict[str, list[Any]]:
    """Return the answers of each design's Java class to its calls, and last the number of its vectors."""
    command = java()
    (folder / "Run.java").write_text(RUNNER)
    for name, (spec, calls) in designs.items():
        (folder / name).mkdir()
        (file,) = make(Content(spec, code_language="java")).files
        (folder / name / file.name).write_bytes(file.data)
        (folder / name / "calls").write_text("".join(f"{_as_line(call)}\n" for call in calls))
    done = subprocess.run(
        [command, *SHORT_RUN, "Run.java", *designs],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    answers = {name: (folder / name / "answers").read_text().splitlines() for name in designs}
    return {
        name: [*map(_read_answer, [call[0] for call in designs[name][1]], told), int(told[-1])]
        for name, told in answers.items()
    }


def _as_line(call: Call) -> str:
    return "\t".join([typescript_name(call), *map(_as_word, call[2])])


def _as_word(value: Any) -> str:
    match value:
        case bool():
            return f"t{str(value).lower()}"
        case int():
            return f"n{value}"
        case str():
            return f"s{value.encode('utf-16-be', 'surrogatepass').hex()}"
    return f"b{value.hex()}"


def _read_answer(what: str, told: str) -> Any:
    if told == "refused" or what in ("make", "filter"):
        return told
    if what == "limit":
        return int(told)
    words = told.split(" ")
    return words if what == "parse" else [word.split("-") for word in words]
