/** Payment requests: what a payee asks for, as a link, a QR code or an NFC record. */
@NullMarked
package io.solidus.wallet.request;

import org.jspecify.annotations.NullMarked;
