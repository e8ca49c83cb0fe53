package io.solidus.protocol;

/** A serial-conflict that says which serial number is held, and by which core. */
public class SerialHeldException extends ProtocolException {
  private static final long serialVersionUID = 1L;

  private final transient SerialNumber serial;
  private final transient TxCore holder;

  public SerialHeldException(SerialNumber serial, TxCore holder) {
    super(RejectionCode.SERIAL_CONFLICT, "a serial number is held by another core");
    this.serial = serial;
    this.holder = holder;
  }

  public SerialNumber serial() {
    return serial;
  }

  public TxCore holder() {
    return holder;
  }
}
