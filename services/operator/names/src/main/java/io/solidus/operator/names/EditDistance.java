package io.solidus.operator.names;

/** The number of letters replaced, left out, put in or swapped with their neighbour. */
final class EditDistance {
  private EditDistance() {}

  /** The distance of two texts, or {@code most + 1} when it is more than {@code most}. */
  static int of(String a, String b, int most) {
    int from = 0;
    int endA = a.length();
    int endB = b.length();
    if (Math.abs(endA - endB) > most) {
      return most + 1;
    }
    while (from < endA && from < endB && a.charAt(from) == b.charAt(from)) {
      from++;
    }
    while (endA > from && endB > from && a.charAt(endA - 1) == b.charAt(endB - 1)) {
      endA--;
      endB--;
    }
    int rows = endA - from;
    int columns = endB - from;
    if (rows == 0 || columns == 0) {
      return Math.min(Math.max(rows, columns), most + 1);
    }
    int[] before = new int[columns + 1];
    int[] last = new int[columns + 1];
    int[] now = new int[columns + 1];
    for (int j = 0; j <= columns; j++) {
      last[j] = j;
    }
    for (int i = 1; i <= rows; i++) {
      now[0] = i;
      int least = i;
      char letter = a.charAt(from + i - 1);
      for (int j = 1; j <= columns; j++) {
        char other = b.charAt(from + j - 1);
        int cost =
            Math.min(last[j - 1] + (letter == other ? 0 : 1), Math.min(last[j], now[j - 1]) + 1);
        if (i > 1 && j > 1 && letter == b.charAt(from + j - 2) && a.charAt(from + i - 2) == other) {
          cost = Math.min(cost, before[j - 2] + 1);
        }
        now[j] = cost;
        least = Math.min(least, cost);
      }
      if (least > most) {
        return most + 1;
      }
      int[] free = before;
      before = last;
      last = now;
      now = free;
    }
    return Math.min(last[columns], most + 1);
  }
}
