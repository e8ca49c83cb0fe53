package io.solidus.loadtest.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The part of a validator's work that a thread does, by the 15 characters of its name that the
 * kernel keeps.
 */
final class ThreadStage {

  private static final Map<String, String> BY_PREFIX = new LinkedHashMap<>();

  static {
    BY_PREFIX.put("signer-ve", "verification");
    BY_PREFIX.put("signer-native", "signing");
    BY_PREFIX.put("sign-log", "sign-log");
    BY_PREFIX.put("grpc", "grpc");
    BY_PREFIX.put("batch", "pipeline");
    BY_PREFIX.put("spend", "pipeline");
    BY_PREFIX.put("ForkJoinPool", "virtual-threads");
    BY_PREFIX.put("C1 Compiler", "jit");
    BY_PREFIX.put("C2 Compiler", "jit");
    BY_PREFIX.put("VM Thread", "garbage-collection");
    BY_PREFIX.put("GC ", "garbage-collection");
  }

  private ThreadStage() {}

  static String of(String thread) {
    return BY_PREFIX.entrySet().stream()
        .filter(entry -> thread.startsWith(entry.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("other");
  }
}
