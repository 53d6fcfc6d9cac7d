import { type LoggerService } from '@nestjs/common';
import { type LogService } from './log.service';

/** Writes the framework's own messages to the structured log. */
export class NestLogAdapter implements LoggerService {
  constructor(private readonly target: LogService) {}

  log(message: unknown, ...parameters: unknown[]): void {
    this.target.debug(String(message), { from: parameters.at(-1) });
  }

  warn(message: unknown, ...parameters: unknown[]): void {
    this.target.warn(String(message), { from: parameters.at(-1) });
  }

  error(message: unknown, ...parameters: unknown[]): void {
    this.target.error(String(message), message instanceof Error ? message : parameters[0], { from: parameters.at(-1) });
  }

  fatal(message: unknown, ...parameters: unknown[]): void {
    this.error(message, ...parameters);
  }
}
