import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { MessageKey } from '../../ui/text/i18n.ts';

/** The camera of this device, which is on between a press and the first event that stops it. */
export interface Camera {
  /** Whether the browser is asking the user, or starting the camera. */
  readonly isStarting: boolean;
  /** What the camera sees, while it is on. */
  readonly stream: MediaStream | undefined;
  /** Why the camera did not start, or has ended by itself. */
  readonly fault: MessageKey | undefined;
  /** To be called at a press alone: the browser may ask the user. */
  readonly start: () => void;
  readonly stop: () => void;
}

/** The one behind, where a device has two; so many pixels show a code well, and each is looked at. */
const WANTED: MediaStreamConstraints = {
  audio: false,
  video: { facingMode: 'environment', width: { ideal: 1_280 }, height: { ideal: 720 } },
};

/** Names of errors of `getUserMedia` (W3C, Media Capture and Streams, 10.3.5). All others say that it does not start. */
const FAULTS: Readonly<Record<string, MessageKey>> = {
  NotAllowedError: 'codeCameraRefused',
  SecurityError: 'codeCameraRefused',
  NotFoundError: 'codeCameraNone',
  OverconstrainedError: 'codeCameraNone',
};

interface CameraState {
  readonly isStarting: boolean;
  readonly stream?: MediaStream;
  readonly fault?: MessageKey;
}

/** A camera that is off at first. It stops when the view goes, as at a lock, and when the page is not seen any more. */
export function useCamera(): Camera {
  const [{ isStarting, stream, fault }, setState] = useState<CameraState>({ isStarting: false });
  const use = useRef<AbortController>();
  const end = useCallback((state: CameraState) => {
    use.current?.abort();
    use.current = undefined;
    setState(state);
  }, []);
  const stop = useCallback(() => end({ isStarting: false }), [end]);
  const start = () => {
    const begun = new AbortController();
    const { signal } = begun;
    end({ isStarting: true });
    use.current = begun;
    const fail = (why: MessageKey) => {
      if (!signal.aborted) end({ isStarting: false, fault: why });
    };
    openCamera(signal, () => fail('codeCameraBusy')).then(
      (opened) => {
        if (!signal.aborted) setState({ isStarting: false, stream: opened });
      },
      (error: unknown) => fail(faultOf(error)),
    );
  };
  useEffect(() => {
    const leave = () => {
      if (document.hidden) stop();
    };
    document.addEventListener('visibilitychange', leave);
    return () => {
      document.removeEventListener('visibilitychange', leave);
      use.current?.abort();
    };
  }, [stop]);
  return { isStarting, stream, fault, start, stop };
}

/** Opens the camera until the signal, also where that comes while the browser asks. @param onEnded where it ends by itself */
async function openCamera(signal: AbortSignal, onEnded: () => void): Promise<MediaStream> {
  const stream = await devices().getUserMedia(WANTED);
  const end = () => stream.getTracks().forEach((track) => track.stop());
  if (signal.aborted) end();
  else signal.addEventListener('abort', end);
  for (const track of stream.getTracks()) track.addEventListener('ended', onEnded);
  return stream;
}

/** @throws DOMException NotFoundError where the browser gives pages no cameras */
function devices(): MediaDevices {
  const { mediaDevices } = navigator as { readonly mediaDevices?: MediaDevices };
  if (!mediaDevices) throw new DOMException('no cameras', 'NotFoundError');
  return mediaDevices;
}

const faultOf = (error: unknown): MessageKey =>
  (error instanceof DOMException ? FAULTS[error.name] : undefined) ?? 'codeCameraBusy';
