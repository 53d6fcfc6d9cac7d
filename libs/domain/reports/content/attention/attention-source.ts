import { type WorkspaceScope } from '@domain/access';
import { defineHook } from '@platform/hooks';
import { type AttentionItem } from './attention';

/** Attention items of another domain: a few sentences, most urgent first. */
export interface AttentionSource {
  attention(workspace: Pick<WorkspaceScope, 'workspaceId'>): Promise<readonly AttentionItem[]>;
}

/** The domains that add attention items to reports. */
export const ATTENTION_SOURCES = defineHook<AttentionSource>('attention');
