import { useEffect, useRef, useState } from 'preact/hooks';
import { Camera, CameraOff } from 'lucide-preact';
import { Banner, ErrorBanner } from '../../ui/components/banner.tsx';
import { Button } from '../../ui/components/buttons/button.tsx';
import { useText } from '../../ui/environment/environment.ts';
import { useAction } from '../../ui/hooks/use-action.ts';
import { CodeReader } from './code-reader.ts';
import { FileField } from './file-field.tsx';
import { PICTURE_MAX_BYTES } from './picture-head.ts';
import type { Reading } from './read-picture.ts';
import { useCamera } from './use-camera.ts';
import { useChosenFile } from './use-chosen-file.ts';

const PICTURE = {
  maxBytes: PICTURE_MAX_BYTES,
  missing: 'codeNone',
  tooLarge: 'codePictureLarge',
} as const;

const FAULTS = {
  none: 'codeNone',
  bad: 'codePictureBad',
  large: 'codePictureLarge',
} as const;

/** Between two frames, in ms: a hand that holds a device moves little in this time. */
const PAUSE_MS = 150;

interface ScanCodeProps {
  /** Begins the ids of the elements. */
  readonly id: string;
  readonly busy: boolean;
  /** Whether this is the text of such a code. Another one is reported, and the camera goes on. */
  readonly isWanted: (text: string) => boolean;
  readonly onRead: (text: string) => void;
}

/** Reads a QR code on the screen of another device: by the camera, after a press, or in a picture. */
export function ScanCode({ id, busy, isWanted, onRead }: ScanCodeProps) {
  const text = useText();
  const action = useAction();
  const camera = useCamera();
  const file = useChosenFile(PICTURE);
  const [isOther, setOther] = useState(false);
  const takePicture = () => {
    const picture = file.take();
    if (!picture || busy) return;
    camera.stop();
    action.run(async () => {
      const reading = await readOnce(picture);
      if ('fault' in reading) file.refuse(FAULTS[reading.fault]);
      else if (!isWanted(reading.text)) file.refuse('codeElse');
      else {
        file.clear();
        onRead(reading.text);
      }
    });
  };
  usePastedPicture((picture) => {
    file.put(picture);
    takePicture();
  });
  const { stop } = camera;
  useEffect(() => {
    if (busy) stop(); // what the other device shows was chosen otherwise
  }, [busy, stop]);
  const isOn = camera.stream !== undefined;
  const Icon = isOn ? CameraOff : Camera;
  return (
    <div class="stack" id={id}>
      <div class="actions">
        <Button
          id={`${id}-camera`}
          busy={busy || camera.isStarting}
          icon={<Icon size={16} aria-hidden="true" />}
          onClick={() => {
            setOther(false);
            if (isOn) camera.stop();
            else camera.start();
          }}
        >
          {text.t(isOn ? 'codeCameraStop' : 'codeCamera')}
        </Button>
      </div>
      {camera.fault && (
        <Banner tone="error" id={`${id}-fault`}>
          <p>{text.t(camera.fault)}</p>
        </Banner>
      )}
      {camera.stream && (
        <Finder
          id={id}
          stream={camera.stream}
          isOther={isOther}
          onText={(found) => {
            if (!isWanted(found)) {
              setOther(true);
              return;
            }
            camera.stop();
            onRead(found);
          }}
        />
      )}
      <FileField
        id={`${id}-picture`}
        label={text.t('codePicture')}
        hint={text.t('codePictureHint')}
        file={file}
        onChoose={takePicture}
      />
      <ErrorBanner error={action.error} />
    </div>
  );
}

async function readOnce(picture: Blob): Promise<Reading> {
  const reader = new CodeReader();
  return reader.read(picture).finally(() => reader.end());
}

/** Takes a picture that is pasted anywhere on the screen. */
function usePastedPicture(take: (picture: File) => void): void {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const paste = (event: ClipboardEvent) => {
      const [pasted] = event.clipboardData?.files ?? [];
      if (!pasted?.type.startsWith('image/')) return;
      event.preventDefault();
      latest.current(pasted);
    };
    document.addEventListener('paste', paste);
    return () => document.removeEventListener('paste', paste);
  }, []);
}

interface FinderProps {
  readonly id: string;
  readonly stream: MediaStream;
  /** Whether the last code that was seen is one of something else. */
  readonly isOther: boolean;
  /** Called for each code that is seen. */
  readonly onText: (text: string) => void;
}

/** Shows what the camera sees, and reads the codes in it. */
function Finder({ id, stream, isOther, onText }: FinderProps) {
  const text = useText();
  const video = useRef<HTMLVideoElement>(null);
  const latest = useRef(onText);
  latest.current = onText;
  useEffect(() => {
    const shown = video.current!;
    const seeing = new AbortController();
    shown.srcObject = stream;
    void readFrames(shown, seeing.signal, (found) => latest.current(found));
    return () => {
      seeing.abort();
      shown.srcObject = null;
    };
  }, [stream]);
  return (
    <>
      <video
        class="camera"
        id={`${id}-seen`}
        ref={video}
        muted
        autoPlay
        playsInline
        aria-hidden="true"
      />
      <p role="status">{text.t(isOther ? 'codeElse' : 'codeCameraAim')}</p>
    </>
  );
}

/** Reads one frame after the other until the signal. */
async function readFrames(
  video: HTMLVideoElement,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<void> {
  const reader = new CodeReader();
  signal.addEventListener('abort', () => reader.end());
  const isSeeing = () => !signal.aborted;
  while (isSeeing()) {
    // There is no frame before the camera has sent one.
    const frame = await createImageBitmap(video).catch(() => undefined);
    if (frame && isSeeing()) {
      const reading = await reader.read(frame);
      if ('text' in reading && isSeeing()) onText(reading.text);
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
