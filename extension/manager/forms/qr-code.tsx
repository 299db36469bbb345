import { encode } from 'uqr';

interface QrCodeProps {
  readonly content: string;
  readonly label: string;
  /** Error correction: 'Q' (25 %) for paper, 'M' (15 %) for a screen, 'L' (7 %) for long texts on one. */
  readonly ecc?: 'Q' | 'M' | 'L';
}

/** Width of the light margin in modules (ISO/IEC 18004, "quiet zone"). */
const QUIET_ZONE = 4;

/** A QR code as one SVG path, black on white in every theme. `label` is for screen readers. */
export function QrCode({ content, label, ecc = 'Q' }: QrCodeProps) {
  const { data, size } = encode(content, { ecc, border: QUIET_ZONE });
  const squares = data.flatMap((row, y) =>
    row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])),
  );
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
      <rect width={size} height={size} fill="#ffffff" />
      <path d={squares.join('')} fill="#000000" />
    </svg>
  );
}
