package io.solidus.loadtest.bench;

import io.solidus.protocol.SerialNumber;

/** A transfer made beforehand: where it goes, and its wire message. */
record Forged(SerialNumber lead, byte[] request) {}
