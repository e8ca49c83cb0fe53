/** The audit log of a service: its events, linked by hashes so that a touched row shows. */
@NullMarked
package io.solidus.platform.audit;

import org.jspecify.annotations.NullMarked;
