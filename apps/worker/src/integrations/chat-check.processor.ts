import { ChatCheckService } from '@domain/chat';
import { Injectable } from '@nestjs/common';
import { type JobPayload } from '@platform/queues';
import { JobProcessor } from '../jobs';

/** Checks chats without a post for a day. */
@Injectable()
export class ChatCheckProcessor extends JobProcessor {
  readonly queue = 'chat-check' as const;

  constructor(private readonly checks: ChatCheckService) {
    super();
  }

  async handle(_payload: JobPayload, signal: AbortSignal): Promise<void> {
    await this.checks.checkIdle(signal);
  }
}
