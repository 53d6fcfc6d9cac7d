import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { type AttentionItem } from './attention';

/** Attention items of another domain: a few sentences, most urgent first. */
export interface AttentionSource {
  attention(workspace: Pick<WorkspaceScope, 'workspaceId'>): Promise<readonly AttentionItem[]>;
}

/** Registry of the domains that add attention items to reports. */
@Injectable()
export class AttentionSourceRegistry {
  readonly #sources = new Set<AttentionSource>();

  /** Call it once, when the module starts. */
  register(source: AttentionSource): void {
    this.#sources.add(source);
  }

  async list(workspace: Pick<WorkspaceScope, 'workspaceId'>): Promise<AttentionItem[]> {
    const all = await Promise.all([...this.#sources].map((source) => source.attention(workspace)));
    return all.flat();
  }
}
