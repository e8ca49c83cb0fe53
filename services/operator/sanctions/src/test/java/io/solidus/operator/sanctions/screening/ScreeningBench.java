package io.solidus.operator.sanctions.screening;

import io.solidus.operator.sanctions.list.EntryKind;
import io.solidus.operator.sanctions.list.ListId;
import io.solidus.operator.sanctions.list.ListedEntry;
import io.solidus.operator.sanctions.screening.Perturbation.Listed;
import java.lang.management.ManagementFactory;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Measures the screening on lists as their publishers provide them. Everything random comes from
 * one seed. The matcher has no rule for a single entry; what {@link #heldOut} counts was not looked
 * at while its numbers were chosen.
 */
final class ScreeningBench {
  static final double THRESHOLD = 0.82;
  private static final int LIMIT = 1000;
  private static final int PERSONS = 1500;
  private static final int COMMON = 1000;
  private static final int WARM_UP = 3000;
  private static final long SEED = 12;

  private final List<ListedEntry> un;
  private final List<ListedEntry> ofac;
  private final List<ListedEntry> ofacAlt;
  private final List<OriginalNames.Pair> labelled;
  private final ScreeningIndex index;

  /** A share of questions. */
  record Share(int found, int of) {
    double value() {
      return of == 0 ? 0 : Math.round(1000.0 * found / of) / 1000.0;
    }

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT, "%.1f %% (%d of %d)", 100.0 * found / Math.max(1, of), found, of);
    }
  }

  /**
   * Reads lists.
   *
   * @param labelled pairs of one person's name in another script and in Latin letters
   */
  ScreeningBench(
      List<ListedEntry> un,
      List<ListedEntry> ofac,
      List<ListedEntry> ofacAlt,
      List<OriginalNames.Pair> labelled) {
    this.un = un;
    this.ofac = ofac;
    this.ofacAlt = ofacAlt;
    this.labelled = labelled;
    this.index = index(un, ofac, ofacAlt);
  }

  private static ScreeningIndex index(
      List<ListedEntry> un, List<ListedEntry> ofac, List<ListedEntry> ofacAlt) {
    ScreeningIndex.Builder builder = new ScreeningIndex.Builder();
    un.forEach(entry -> builder.add(ListId.UN, entry));
    ofac.forEach(entry -> builder.add(ListId.OFAC, entry));
    ofacAlt.forEach(entry -> builder.addAliases(ListId.OFAC, entry));
    return builder.build();
  }

  /** Persons whose reference has an odd digest: half of them. */
  static boolean heldOut(Listed person) {
    return (((person.list() + person.reference()).hashCode() * 0x9E3779B9) >>> 31) == 1;
  }

  /** Persons with at least two words in their primary name, in Latin letters. */
  List<Listed> persons() {
    List<Listed> persons = new ArrayList<>();
    un.forEach(entry -> add(ListId.UN, entry, persons));
    ofac.forEach(entry -> add(ListId.OFAC, entry, persons));
    Collections.shuffle(persons, new Random(SEED));
    return persons.subList(0, Math.min(PERSONS, persons.size()));
  }

  private static void add(ListId list, ListedEntry entry, List<Listed> persons) {
    if (entry.kind() != EntryKind.INDIVIDUAL) {
      return;
    }
    String name = entry.names().getFirst();
    List<String> words =
        Arrays.stream(name.split("[\\s,]+", 0)).filter(word -> !word.isEmpty()).toList();
    int comma = name.indexOf(',');
    int given = comma < 0 ? 0 : name.substring(0, comma).strip().split("\\s+", 0).length;
    if (words.size() >= 2
        && given < words.size()
        && Character.isLetter(words.get(given).charAt(0))
        && isLatin(name)) {
      LocalDate birth = entry.details().birthDates().stream().findFirst().orElse(null);
      persons.add(new Listed(list.id(), entry.reference(), words, given, birth));
    }
  }

  static boolean isLatin(String name) {
    return name.chars().noneMatch(c -> c > 0x24F && Character.isLetter(c));
  }

  /** How many of the persons are found by their changed names, without a date of birth. */
  Share found(Perturbation change, List<Listed> persons) {
    Random random = new Random(SEED + change.name().hashCode());
    int found = 0;
    for (Listed person : persons) {
      found += finds(person, change.apply(person, random), null) ? 1 : 0;
    }
    return new Share(found, persons.size());
  }

  /** Two errors, and the date of birth right, a year off, or with day and month swapped. */
  Share foundWithDate(List<Listed> persons) {
    Random random = new Random(SEED + 100);
    int found = 0;
    int asked = 0;
    for (Listed person : persons) {
      LocalDate birth = person.birthDate();
      if (birth == null) {
        continue;
      }
      LocalDate said =
          switch (asked++ % 3) {
            case 0 -> birth;
            case 1 -> birth.plusYears(random.nextBoolean() ? 1 : -1);
            default ->
                birth.getDayOfMonth() <= 12
                    ? LocalDate.of(birth.getYear(), birth.getDayOfMonth(), birth.getMonthValue())
                    : birth;
          };
      found += finds(person, Perturbation.TWO_ERRORS.apply(person, random), said) ? 1 : 0;
    }
    return new Share(found, asked);
  }

  private boolean finds(Listed person, String name, @Nullable LocalDate birth) {
    return index.search(Asked.person(name, birth), THRESHOLD, LIMIT).matches().stream()
        .anyMatch(match ->
            match.reference().equals(person.reference())
                && match.list().id().equals(person.list()));
  }

  /** Common names that match anybody, with random dates of birth from 1945 to 2005. */
  Share flagged(CommonNames culture) {
    Random random = new Random(SEED + culture.name().hashCode());
    int flagged = 0;
    for (String name : culture.names(COMMON, random)) {
      flagged +=
          !index.search(Asked.person(name, date(random)), THRESHOLD, 1).matches().isEmpty() ? 1 : 0;
    }
    return new Share(flagged, COMMON);
  }

  static LocalDate date(Random random) {
    return LocalDate.of(1945, 1, 1).plusDays(random.nextInt(61 * 365));
  }

  /** Names that are found by an alternate name of the publisher, which the searched list lacks. */
  Share alternates(int most) {
    ScreeningIndex primary =
        index(un.stream().map(ScreeningBench::primary).toList(), ofac, List.of());
    List<ListedEntry> aliases = new ArrayList<>(ofacAlt);
    Collections.shuffle(aliases, new Random(SEED));
    Map<String, ListedEntry> persons = new LinkedHashMap<>();
    ofac.stream()
        .filter(entry -> entry.kind() == EntryKind.INDIVIDUAL)
        .forEach(entry -> persons.put(entry.reference(), entry));
    int asked = 0;
    int found = 0;
    for (ListedEntry alias : aliases) {
      ListedEntry person = persons.get(alias.reference());
      if (person == null || asked == most) {
        continue;
      }
      asked++;
      LocalDate birth = person.details().birthDates().stream().findFirst().orElse(null);
      found +=
          primary
                  .search(Asked.person(alias.names().getFirst(), birth), THRESHOLD, LIMIT)
                  .matches()
                  .stream()
                  .anyMatch(match -> match.reference().equals(alias.reference()))
              ? 1
              : 0;
    }
    return new Share(found, asked);
  }

  private static ListedEntry primary(ListedEntry entry) {
    return new ListedEntry(
        entry.reference(),
        entry.kind(),
        entry.names().subList(0, 1),
        List.of(),
        entry.birthYears(),
        entry.details());
  }

  /**
   * By script: originals that find the person, of whom the searched lists have Latin names only.
   */
  Map<String, Share> otherScripts() {
    ScreeningIndex.Builder builder = new ScreeningIndex.Builder();
    Map<String, List<String[]>> questions = new LinkedHashMap<>();
    for (ListedEntry entry : un) {
      List<String> latin = entry.names().stream().filter(ScreeningBench::isLatin).toList();
      if (latin.isEmpty()) {
        continue;
      }
      builder.add(
          ListId.UN,
          new ListedEntry(entry.reference(), entry.kind(), latin, entry.weakNames(), List.of()));
      if (entry.kind() == EntryKind.INDIVIDUAL) {
        entry.names().stream()
            .filter(name -> !isLatin(name))
            .forEach(name -> ask(questions, "un originals", name, entry.reference()));
      }
    }
    ofac.forEach(entry -> builder.add(ListId.OFAC, entry));
    ofacAlt.forEach(entry -> builder.addAliases(ListId.OFAC, entry));
    int number = 0;
    for (OriginalNames script : OriginalNames.values()) {
      for (OriginalNames.Pair pair : script.pairs()) {
        String reference = "original-" + number++;
        builder.add(ListId.UN, entry(reference, pair.latin()));
        ask(questions, script.name().toLowerCase(Locale.ROOT), pair.original(), reference);
      }
    }
    for (OriginalNames.Pair pair : labelled) {
      String reference = "labelled-" + number++;
      builder.add(ListId.UN, entry(reference, pair.latin()));
      ask(questions, "labelled pairs", pair.original(), reference);
    }
    ScreeningIndex latinOnly = builder.build();
    Map<String, Share> shares = new LinkedHashMap<>();
    questions.forEach((script, asked) -> {
      int found = 0;
      for (String[] question : asked) {
        boolean hit =
            latinOnly.search(Asked.person(question[0], null), THRESHOLD, LIMIT).matches().stream()
                .anyMatch(match -> match.reference().equals(question[1]));
        found += hit ? 1 : 0;
        if (!hit && Boolean.getBoolean("solidus.bench.misses")) {
          System.out.println("  not found: " + script + " " + question[0] + " " + question[1]);
        }
      }
      shares.put(script, new Share(found, asked.size()));
    });
    return shares;
  }

  private static void ask(
      Map<String, List<String[]>> questions, String script, String name, String reference) {
    questions
        .computeIfAbsent(script, unknown -> new ArrayList<>())
        .add(new String[] {name, reference});
  }

  private static ListedEntry entry(String reference, String name) {
    return new ListedEntry(reference, EntryKind.INDIVIDUAL, List.of(name), List.of(), List.of());
  }

  /** Of names that are known to be nobody's, how many match. */
  Share negatives(List<Asked> persons) {
    int flagged = 0;
    for (Asked person : persons) {
      flagged += !index.search(person, THRESHOLD, 1).matches().isEmpty() ? 1 : 0;
    }
    return new Share(flagged, persons.size());
  }

  /** CPU time of a search in this thread, in milliseconds, after a warm-up. */
  double cpuMillisPerName() {
    return cpuMillis(Set.of());
  }

  /** The same where all but {@code changed} entries are left out. */
  double cpuMillisPerNameOfDelta(int changed) {
    List<String> digests = new ArrayList<>(index.digests());
    Collections.shuffle(digests, new Random(SEED));
    return cpuMillis(
        Set.copyOf(digests.subList(Math.min(changed, digests.size()), digests.size())));
  }

  private double cpuMillis(Set<String> left) {
    Random random = new Random(SEED + 300);
    List<Asked> persons = new ArrayList<>();
    for (CommonNames culture : CommonNames.values()) {
      culture.names(COMMON, random).forEach(name -> persons.add(Asked.person(name, date(random))));
    }
    Collections.shuffle(persons, random);
    ScreeningIndex.Part part = index.without(left);
    persons.subList(0, WARM_UP).forEach(asked -> part.search(asked, THRESHOLD, 20));
    long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    persons.forEach(asked -> part.search(asked, THRESHOLD, 20));
    long nanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before;
    return Math.round(nanos / 10_000.0 / persons.size()) / 100.0;
  }

  /** Whether a list with the second name alone finds the first. */
  static boolean matches(String asked, String listed) {
    ScreeningIndex.Builder builder = new ScreeningIndex.Builder();
    builder.add(ListId.UN, entry("1", listed));
    return !builder.build().search(Asked.person(asked, null), THRESHOLD, 1).matches().isEmpty();
  }
}
