import { type LogService } from '@platform/observability';

/** What a process hands over once it works. */
export interface RunningProcess {
  log: LogService;
  /** Milliseconds that `stop` may take before the process ends regardless. */
  stopWithinMs: number;
  /** Finishes what is in flight and closes every connection. */
  stop: () => Promise<void>;
  /** Resolves when there is nothing left to do: the process then stops by itself. Default: it is only told to. */
  ended?: Promise<void>;
}

/**
 * Runs a process until SIGTERM or SIGINT, then lets it finish within its bound. A second signal ends it at once. An
 * error that nobody caught ends it too, with status 1: its state can no longer be trusted, and whoever runs the
 * process starts it again.
 */
export function runProcess(start: () => Promise<RunningProcess>): void {
  let running: RunningProcess | undefined;
  let stopping = false;

  const stop = (reason: string, status: number): void => {
    if (stopping) return process.exit(status || 1);
    stopping = true;
    if (!running) return process.exit(status);
    running.log.info('Stopping', { reason });
    const { log } = running;
    finish(running).then(
      () => process.exit(status),
      (error: unknown) => {
        log.error('Stopping failed', error);
        log.flush();
        process.exit(1);
      },
    );
  };
  const fail = (error: unknown): void => {
    if (running) running.log.error('Uncaught error', error);
    else process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    stop('uncaught error', 1);
  };

  process.on('SIGTERM', () => stop('SIGTERM', 0));
  process.on('SIGINT', () => stop('SIGINT', 0));
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  start().then(
    (started) => {
      running = started;
      // What stops closes its input as well: that is no second signal.
      void started.ended?.then(() => stopping || stop('nothing left to do', 0));
    },
    (error: unknown) => {
      // A refusal to start is for the operator's eyes: the reason without a stack where it explains itself.
      process.stderr.write(`${explain(error)}\n`);
      process.exit(1);
    },
  );
}

async function finish({ stop, stopWithinMs, log }: RunningProcess): Promise<void> {
  const bound = setTimeout(() => {
    log.warn('Not everything finished in time', { stopWithinMs });
    log.flush();
    process.exit(1);
  }, stopWithinMs);
  bound.unref();
  await stop();
  clearTimeout(bound);
  log.flush();
}

/** Errors whose message is enough for an operator. */
const EXPLAINED: ReadonlySet<string> = new Set(['AssetError', 'BootError', 'ConfigError']);

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return EXPLAINED.has(error.name) ? error.message : (error.stack ?? error.message);
}
