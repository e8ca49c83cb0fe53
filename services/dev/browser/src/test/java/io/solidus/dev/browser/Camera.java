package io.solidus.dev.browser;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import javax.imageio.ImageIO;

/**
 * The camera of all browsers of this process: Chromium reads its pictures from a file in place of a
 * device, as often as a page turns the camera on.
 */
final class Camera {
  private static final int WIDTH = 640;
  private static final int HEIGHT = 480;

  /** Of luminance; the colours of the picture have no meaning for a code. */
  private static final byte WHITE = (byte) 235;

  private static final byte GREY = (byte) 128;

  private final Path file;

  Camera() {
    try {
      file = Files.createTempFile("solidus-camera", ".y4m");
      file.toFile().deleteOnExit();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<String> arguments() {
    return List.of(
        "--use-fake-ui-for-media-stream",
        "--use-fake-device-for-media-stream",
        "--use-file-for-fake-video-capture=" + file);
  }

  /**
   * What the camera sees from now on.
   *
   * @param screenshot PNG of what somebody holds in front of it
   */
  void show(byte[] screenshot) throws IOException {
    BufferedImage seen = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_BYTE_GRAY);
    BufferedImage held = ImageIO.read(new ByteArrayInputStream(screenshot));
    Graphics2D canvas = seen.createGraphics();
    canvas.setColor(Color.WHITE);
    canvas.fillRect(0, 0, WIDTH, HEIGHT);
    canvas.drawImage(held, (WIDTH - held.getWidth()) / 2, (HEIGHT - held.getHeight()) / 2, null);
    canvas.dispose();
    byte[] luminance = new byte[WIDTH * HEIGHT];
    for (int i = 0; i < luminance.length; i++) {
      luminance[i] = seen.getRaster().getSample(i % WIDTH, i / WIDTH, 0) < 128 ? 16 : WHITE;
    }
    byte[] colours = new byte[WIDTH * HEIGHT / 2];
    Arrays.fill(colours, GREY);
    ByteArrayOutputStream video = new ByteArrayOutputStream();
    video.writeBytes(
        "YUV4MPEG2 W%d H%d F10:1 Ip A1:1 C420mpeg2\n"
            .formatted(WIDTH, HEIGHT)
            .getBytes(StandardCharsets.US_ASCII));
    for (int frame = 0; frame < 2; frame++) {
      video.writeBytes("FRAME\n".getBytes(StandardCharsets.US_ASCII));
      video.writeBytes(luminance);
      video.writeBytes(colours);
    }
    Files.write(file, video.toByteArray());
  }
}
