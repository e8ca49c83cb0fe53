/**
 * Probes and metrics over HTTP for services that have no REST interface and no servlet container.
 */
@NullMarked
package io.solidus.platform.management;

import org.jspecify.annotations.NullMarked;
