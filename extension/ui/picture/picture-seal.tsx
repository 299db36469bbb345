import {
  Anchor,
  Apple,
  Bell,
  Bike,
  Bird,
  Book,
  Cake,
  Camera,
  Car,
  Cat,
  Cherry,
  Crown,
  Dog,
  Egg,
  Feather,
  Fish,
  Flower,
  Guitar,
  Hammer,
  Lamp,
  Leaf,
  Moon,
  Mountain,
  Plane,
  Rabbit,
  Rocket,
  Sailboat,
  Snail,
  Sun,
  Tent,
  Turtle,
  Umbrella,
} from 'lucide-preact';
import type { Picture, PictureOutline, PictureSymbol } from './picture.ts';

const ICONS = {
  anchor: Anchor,
  apple: Apple,
  bell: Bell,
  bike: Bike,
  bird: Bird,
  book: Book,
  cake: Cake,
  camera: Camera,
  car: Car,
  cat: Cat,
  cherry: Cherry,
  crown: Crown,
  dog: Dog,
  egg: Egg,
  feather: Feather,
  fish: Fish,
  flower: Flower,
  guitar: Guitar,
  hammer: Hammer,
  lamp: Lamp,
  leaf: Leaf,
  moon: Moon,
  mountain: Mountain,
  plane: Plane,
  rabbit: Rabbit,
  rocket: Rocket,
  sailboat: Sailboat,
  snail: Snail,
  sun: Sun,
  tent: Tent,
  turtle: Turtle,
  umbrella: Umbrella,
} as const satisfies Record<PictureSymbol, unknown>;

/**
 * Width and height of the drawing, in its own units. The outlines leave a margin of 2 for their
 * line.
 */
const SIZE = 88;
const CENTRE = SIZE / 2;
const ICON_SIZE = 26;
/** The places of the three symbols: one above two. */
const PLACES = [
  { x: 31, y: 10 },
  { x: 16, y: 43 },
  { x: 46, y: 43 },
] as const;

/**
 * The drawing of a picture, hidden from screen readers: its names are shown beside it.
 *
 * @param size in CSS pixels
 */
export function PictureSeal({
  picture,
  size,
}: {
  readonly picture: Picture;
  readonly size: number;
}) {
  return (
    <svg
      class="picture-seal"
      data-tone={picture.tone}
      width={size}
      height={size}
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      aria-hidden="true"
    >
      <path class="picture-outline" d={OUTLINE_PATHS[picture.outline]} />
      {picture.symbols.map((symbol, place) => {
        const Icon = ICONS[symbol];
        return <Icon key={symbol} {...PLACES[place]} size={ICON_SIZE} />;
      })}
    </svg>
  );
}

const OUTLINE_PATHS: Readonly<Record<PictureOutline, string>> = {
  circle: 'M44 2a42 42 0 1 1-.01 0z',
  square:
    'M16 3h56a13 13 0 0 1 13 13v56a13 13 0 0 1-13 13H16A13 13 0 0 1 3 72V16A13 13 0 0 1 16 3z',
  hexagon: polygon(6, 42),
  scallop: scallops(12, 33),
};

function polygon(corners: number, radius: number): string {
  return `M${around(corners, radius).join('L')}z`;
}

/** A path of half circles between the corners of a regular polygon. */
function scallops(count: number, radius: number): string {
  const bow = radius * Math.sin(Math.PI / count);
  const [first, ...rest] = around(count, radius);
  const arcs = [...rest, first].map((point) => `A${bow} ${bow} 0 0 1 ${point}`);
  return `M${first}${arcs.join('')}z`;
}

/** Points on a circle around the centre, clockwise. */
function around(count: number, radius: number): string[] {
  return Array.from({ length: count }, (_, turn) => {
    const angle = (2 * Math.PI * turn) / count;
    const [x, y] = [CENTRE + radius * Math.sin(angle), CENTRE - radius * Math.cos(angle)];
    return `${x.toFixed(2)} ${y.toFixed(2)}`;
  });
}
