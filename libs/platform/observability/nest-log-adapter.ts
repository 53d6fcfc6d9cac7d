import { type LoggerService } from '@nestjs/common';
import { type LogService } from './log.service';

/** Writes the framework's own messages to the structured log. */
export class NestLogAdapter implements LoggerService {
  constructor(private readonly target: LogService) {}

  log(message: unknown, ...rest: unknown[]): void {
    this.target.debug(String(message), { from: rest.at(-1) });
  }

  warn(message: unknown, ...rest: unknown[]): void {
    this.target.warn(String(message), { from: rest.at(-1) });
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.target.error(String(message), message instanceof Error ? message : rest[0], { from: rest.at(-1) });
  }

  fatal(message: unknown, ...rest: unknown[]): void {
    this.error(message, ...rest);
  }
}
