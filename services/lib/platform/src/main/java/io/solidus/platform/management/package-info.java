/** Probes and metrics over HTTP for services without REST interface and servlet container. */
@NullMarked
package io.solidus.platform.management;

import org.jspecify.annotations.NullMarked;
