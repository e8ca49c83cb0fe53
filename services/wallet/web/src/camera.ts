import { decodeQR } from 'qr/decode.js';

// Reads a code with the camera. Pictures stay in the page: nothing keeps or sends them.

/** Pictures a second that are searched for a code. */
const LOOKS = 5;

/** Wide enough for the largest request at the distance of a hand, and quick to search on a telephone. */
const WIDTH = 640;

const SECOND = 1_000;

/** Whether there may be a camera. Browsers give it to pages over HTTPS alone. */
export const hasCamera = (): boolean => navigator.mediaDevices?.getUserMedia !== undefined;

/**
 * Shows what the camera sees until a code is one that the caller takes.
 *
 * @param found is told each code that is read, and says whether it was the one
 * @param closed is told when the camera is off again
 * @returns what turns the camera off, once it is on; refused where the owner or the device gives no camera
 */
export async function look(video: HTMLVideoElement, found: (content: string) => Promise<boolean>, closed: () => void): Promise<() => void> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: { ideal: 'environment' }, width: { ideal: WIDTH } } });
  const canvas = document.createElement('canvas');
  const picture = canvas.getContext('2d', { willReadFrequently: true });
  let ended = false;
  const end = (): void => {
    if (ended) return;
    ended = true;
    for (const track of stream.getTracks()) track.stop();
    video.srcObject = null;
    closed();
  };
  const search = async (): Promise<void> => {
    // the page was drawn anew without it, or is not in front: a camera that nobody looks at is off
    if (ended || !video.isConnected || document.visibilityState === 'hidden') return end();
    const content = picture === null ? undefined : codeIn(video, canvas, picture);
    try {
      if (content !== undefined && (await found(content))) return end();
    } catch (e) {
      end();
      throw e;
    }
    setTimeout(() => void search(), SECOND / LOOKS);
  };
  try {
    video.srcObject = stream;
    await video.play();
  } catch (e) {
    end();
    throw e;
  }
  void search();
  return end;
}

function codeIn(video: HTMLVideoElement, canvas: HTMLCanvasElement, picture: CanvasRenderingContext2D): string | undefined {
  const { videoWidth: width, videoHeight: height } = video;
  if (width === 0 || height === 0) return undefined;
  const scale = Math.min(1, WIDTH / width);
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  picture.drawImage(video, 0, 0, canvas.width, canvas.height);
  try {
    return decodeQR(picture.getImageData(0, 0, canvas.width, canvas.height));
  } catch {
    return undefined; // no code in this picture
  }
}
