import { Injectable } from '@nestjs/common';
import { type MessageKind } from '../schemas/conversation-message.record';
import { type ConversationRecord } from '../schemas/conversation.record';

/**
 * What has just been written about a conversation. `received`: a message came in, and is labelled if a person wrote it;
 * `labelled`: it was labelled anew, by a person or a model, or is with a lead now; `written`: a person's reply begins.
 */
export type ConversationMove =
  | { readonly kind: 'received'; readonly message: MessageKind }
  | { readonly kind: 'labelled' }
  | { readonly kind: 'written' };

/** A higher domain that writes in conversations by itself, and has to let that be or begin it when they move on. */
export interface ConversationWatch {
  /**
   * Called in the transaction of the move, when all else about it is written. What it throws undoes the move: only
   * `written` may be refused (CONFLICT).
   */
  conversationChanged?(
    conversation: Pick<ConversationRecord, '_id' | 'workspaceId'>,
    move: ConversationMove,
  ): Promise<void>;
  /**
   * The conversation is erased, as its mailbox was: erase what is kept of it. Outside of transactions, and again until it
   * returns.
   */
  erased?(conversation: Pick<ConversationRecord, '_id' | 'workspaceId'>): Promise<void>;
}

/** Where higher domains tell at the start of the process that they watch conversations: they are not known down here. */
@Injectable()
export class ConversationHookRegistry {
  readonly #watches = new Set<ConversationWatch>();

  /** Call it once, when the module starts. */
  register(watch: ConversationWatch): void {
    this.#watches.add(watch);
  }

  async conversationChanged(
    conversation: Pick<ConversationRecord, '_id' | 'workspaceId'>,
    move: ConversationMove,
  ): Promise<void> {
    // One after the other: a transaction takes no calls side by side.
    for (const watch of this.#watches) await watch.conversationChanged?.(conversation, move);
  }

  async erased(conversation: Pick<ConversationRecord, '_id' | 'workspaceId'>): Promise<void> {
    for (const watch of this.#watches) await watch.erased?.(conversation);
  }
}
