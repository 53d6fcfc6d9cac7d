import { defineHook } from '@platform/hooks';
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
export interface ConversationHooks {
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

/** Called when a conversation changes. */
export const CONVERSATION_HOOKS = defineHook<ConversationHooks>('conversations');
