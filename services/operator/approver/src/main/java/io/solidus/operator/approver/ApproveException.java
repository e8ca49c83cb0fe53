package io.solidus.operator.approver;

/** A command that cannot be done: {@code code} is stable, the message is for a person. */
final class ApproveException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String code;
  private final int exitStatus;

  private ApproveException(String code, String message, int exitStatus) {
    super(message);
    this.code = code;
    this.exitStatus = exitStatus;
  }

  /** A file, key or answer that must not be used. */
  static ApproveException refused(String code, String message) {
    return new ApproveException(code, message, Exit.REFUSED);
  }

  /** A file that is no key, signature or token, or that may not be written. */
  static ApproveException file(String message) {
    return new ApproveException("file", message, Exit.FILE);
  }

  /** A service or program that does not answer. */
  static ApproveException unavailable(String message) {
    return new ApproveException("unavailable", message, Exit.UNAVAILABLE);
  }

  String code() {
    return code;
  }

  int exitStatus() {
    return exitStatus;
  }

  /** Exit statuses, those of the wallet's command line. */
  static final class Exit {
    static final int REFUSED = 10;
    static final int USAGE = 64;
    static final int FILE = 65;
    static final int UNAVAILABLE = 69;
    static final int SOFTWARE = 70;

    private Exit() {}
  }
}
