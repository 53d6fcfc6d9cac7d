import { type WorkspaceScope } from '@domain/access';
import { Injectable } from '@nestjs/common';
import { type AttentionItem } from './attention';

/** What another domain has to say of a workspace: a few sentences, most urgent first. */
export interface AttentionSource {
  attention(workspace: Pick<WorkspaceScope, 'workspaceId'>): Promise<readonly AttentionItem[]>;
}

/** Where domains that reports do not know tell at the start of the process that they have something to say in them. */
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
