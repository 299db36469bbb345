import { Button } from '../../ui/components/buttons/button.tsx';
import { Progress } from '../../ui/components/loading.tsx';
import { useText } from '../../ui/environment/environment.ts';
import type { FileWork } from './use-file-work.ts';

interface WorkingProps {
  /** Begins the id of the button that stops the work. */
  readonly id: string;
  readonly label: string;
  readonly work: FileWork;
}

/** The progress of work on a file, and a button that stops it. */
export function Working({ id, label, work: { action, progress, cancel } }: WorkingProps) {
  const text = useText();
  if (!action.busy) return null;
  return (
    <div class="stack" id={`${id}-working`}>
      <p class="muted">
        {label}
        {progress !== undefined && ` ${text.number(progress, { style: 'percent' })}`}
      </p>
      <Progress label={label} {...(progress === undefined ? {} : { value: progress })} />
      <div class="actions">
        <Button id={`${id}-cancel`} onClick={cancel}>
          {text.t('cancel')}
        </Button>
      </div>
    </div>
  );
}
