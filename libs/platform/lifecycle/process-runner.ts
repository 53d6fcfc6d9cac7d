import { type LogService } from '@platform/observability';

/** A started process. */
export interface RunningProcess {
  log: LogService;
  /** Timeout of `stop` in milliseconds, after which the process exits regardless. */
  stopWithinMs: number;
  /** Finishes requests and jobs in progress and closes every connection. */
  stop: () => Promise<void>;
  /** Resolves when no work remains, and then the process stops. Without it only a signal stops the process. */
  ended?: Promise<void>;
}

/**
 * Runs a process until SIGTERM or SIGINT, then stops it within its timeout. A second signal ends it at once. An uncaught error
 * stops it with status 1, because its state is no longer reliable; the service manager restarts it.
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
        log.error('The stop failed', error);
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
      // A stop closes the input as well, which is no second signal.
      void started.ended?.then(() => stopping || stop('no work remains', 0));
    },
    (error: unknown) => {
      // The operator reads this: the message without a stack where it is self-explanatory.
      process.stderr.write(`${explain(error)}\n`);
      process.exit(1);
    },
  );
}

async function finish({ stop, stopWithinMs, log }: RunningProcess): Promise<void> {
  const bound = setTimeout(() => {
    log.warn('The process did not stop in time', { stopWithinMs });
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
