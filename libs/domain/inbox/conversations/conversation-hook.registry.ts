import { Injectable } from '@nestjs/common';
import { type MessageKind } from '../schemas/conversation-message.record';
import { type ConversationRecord } from '../schemas/conversation.record';

/**
 * A change of a conversation. `received`: a message has arrived, labelled if a person wrote it; `labelled`: a person or a model
 * has changed the label, or a lead was attached; `written`: a member has written a reply.
 */
export type ConversationMove =
  | { readonly kind: 'received'; readonly message: MessageKind }
  | { readonly kind: 'labelled' }
  | { readonly kind: 'written' };

/** A higher domain that replies automatically and must start or stop that when a conversation changes. */
export interface ConversationWatch {
  /**
   * Runs in the transaction of the change, after all other writes. An error undoes the change: only `written` may be
   * rejected (CONFLICT).
   */
  conversationChanged?(
    conversation: Pick<ConversationRecord, '_id' | 'workspaceId'>,
    move: ConversationMove,
  ): Promise<void>;
  /**
   * Erases the domain's data of an erased conversation. Runs outside transactions and is repeated until it returns.
   */
  erased?(conversation: Pick<ConversationRecord, '_id' | 'workspaceId'>): Promise<void>;
}

/** Higher domains register as listeners of conversations here at start: this library must not import them. */
@Injectable()
export class ConversationHookRegistry {
  readonly #listeners = new Set<ConversationWatch>();

  /** Call once, at module start. */
  register(listener: ConversationWatch): void {
    this.#listeners.add(listener);
  }

  async conversationChanged(
    conversation: Pick<ConversationRecord, '_id' | 'workspaceId'>,
    move: ConversationMove,
  ): Promise<void> {
    // Sequential: a transaction allows no parallel operations.
    for (const listener of this.#listeners) await listener.conversationChanged?.(conversation, move);
  }

  async erased(conversation: Pick<ConversationRecord, '_id' | 'workspaceId'>): Promise<void> {
    for (const listener of this.#listeners) await listener.erased?.(conversation);
  }
}
