import { Button } from '../../ui/components/buttons/button.tsx';
import { Progress, Stamping } from '../../ui/components/loading.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { FileWork } from './use-file-work.ts';

interface WorkingProps {
  /** Begins the id of the button that stops the work. */
  readonly id: string;
  readonly label: string;
  readonly work: FileWork;
  /** Whether it seals a file, which the mark shows where it takes long. */
  readonly stamps?: boolean;
}

/** The progress of work on a file, and a button that stops it. */
export function Working({ id, label, work, stamps = false }: WorkingProps) {
  const { action, progress, cancel } = work;
  const text = useText();
  if (!action.busy) return null;
  return (
    <div class="stack" id={`${id}-working`}>
      <div class="working">
        <div class="stack grow">
          <p class="muted">
            {label}
            {progress !== undefined && ` ${text.number(progress, { style: 'percent' })}`}
          </p>
          <Progress label={label} {...(progress === undefined ? {} : { value: progress })} />
        </div>
        {stamps && <Stamping size={44} />}
      </div>
      <div class="actions">
        <Button id={`${id}-cancel`} onClick={cancel}>
          {text.t('cancel')}
        </Button>
      </div>
    </div>
  );
}
