import { Injectable } from '@nestjs/common';
import pino, { type Logger } from 'pino';
import { contextFields } from './context';
import { redact } from './redact';

/** The process's pino logger: JSON lines on standard output, with request or job context, secrets masked. */
export function rootLogger(options: { level: string; app: string; write?: (line: string) => void }): Logger {
  const write = options.write;
  const destination = write === undefined ? pino.destination({ sync: false, minLength: 0 }) : { write };
  return pino(
    {
      level: options.level,
      base: { app: options.app },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
      mixin: () => contextFields(),
      hooks: { streamWrite: redact },
      serializers: { err: describeError },
    },
    destination,
  );
}

/** Structured log. Pass values as fields, not as part of the message. */
@Injectable()
export class LogService {
  constructor(private readonly logger: Logger) {}

  debug(message: string, fields: object = {}): void {
    this.logger.debug(fields, message);
  }

  info(message: string, fields: object = {}): void {
    this.logger.info(fields, message);
  }

  warn(message: string, fields: object = {}): void {
    this.logger.warn(fields, message);
  }

  /** `cause` is logged with its stack and its own causes. */
  error(message: string, cause: unknown, fields: object = {}): void {
    this.logger.error({ ...fields, err: cause }, message);
  }

  /** Writes the buffered lines; call it last before the process exits. */
  flush(): void {
    this.logger.flush();
  }
}

function describeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const code = (error as { code?: unknown }).code;
  return {
    name,
    message,
    stack,
    ...(code === undefined ? {} : { code }),
    ...(cause === undefined || depth > 3 ? {} : { cause: describeError(cause, depth + 1) }),
  };
}
