import { useText } from '../../ui/environment/environment.ts';

/** A pool is drawn as full at this size, or at the size of the fullest pool if that is more. */
const FULL_BYTES = 256;
const COLUMNS = 8;
const CELL = { width: 38, height: 34, gap: 4 };

/** The fill levels of the 32 pools as a picture. The figures are shown beside it as text. */
export function Pools({ pools }: { readonly pools: readonly number[] }) {
  const text = useText();
  const full = Math.max(FULL_BYTES, ...pools);
  const rows = Math.ceil(pools.length / COLUMNS);
  const stepX = CELL.width + CELL.gap;
  const stepY = CELL.height + CELL.gap;
  return (
    <svg
      class="pools"
      id="pools"
      role="img"
      aria-label={text.t('poolsLabel', pools.length)}
      viewBox={`0 0 ${COLUMNS * stepX - CELL.gap} ${rows * stepY - CELL.gap}`}
    >
      {pools.map((bytes, index) => {
        const x = (index % COLUMNS) * stepX;
        const y = Math.floor(index / COLUMNS) * stepY;
        const level = (bytes / full) * CELL.height;
        return (
          <g key={index}>
            <rect class="pool" x={x} y={y} width={CELL.width} height={CELL.height} rx={5} />
            <rect
              class="pool-fill"
              x={x}
              y={y + CELL.height - level}
              width={CELL.width}
              height={level}
              rx={Math.min(5, level / 2)}
            />
          </g>
        );
      })}
    </svg>
  );
}
