/** Inlined styles, for mail programs that drop style sheets. */
export const INLINE_STYLES = `
.quiet{color:#6b7280}.strong{color:#111827}.small{font-size:12px;line-height:1.4}
.better{color:#15803d}.worse{color:#b91c1c}.same{color:#6b7280}
.cell{padding:7px 4px;border-bottom:1px solid #e5e7eb;vertical-align:top}
.number{text-align:right;white-space:nowrap}.text{text-align:left;word-break:break-word}
.head{font-size:11px;font-weight:600}
.tile{padding:8px 6px}.name{font-size:12px}.value{font-size:22px;line-height:1.25;font-weight:700}
.note{padding:8px 12px;background-color:#f6f7fb;word-break:break-word}.mark{padding:0;font-size:0}.gap{height:6px;font-size:0;line-height:6px}
.critical{background-color:#dc2626}.warning{background-color:#f59e0b}.info{background-color:#94a3b8}
.figure{font-size:44px;line-height:1.1;font-weight:700}.unit{font-size:18px;font-weight:600}.link{color:#4f46e5}`;

/**
 * Styles that cannot be inlined: narrow screens and dark mode. Without them dark text stands on white. Outlook sets
 * `[data-ogsc]` and `[data-ogsb]` on elements that it has darkened.
 */
export const STYLES = `
:root{color-scheme:light dark;supported-color-schemes:light dark}
.chart img{border-radius:8px}
@media (max-width:480px){
.tile{display:inline-block!important;width:46%!important;box-sizing:border-box;vertical-align:top}
.chart img{height:auto!important}
.extra{display:none!important}
}
@media (prefers-color-scheme:dark){
body,.page,.page>div{background:#0b1120!important;background-color:#0b1120!important}
.card,.card>table{background:#151d2e!important;background-color:#151d2e!important}
.card div,.card td,.card th,.card span{color:#e5e7eb!important}
.card .strong,.card .strong div,.card .strong span{color:#f9fafb!important}
.card .quiet,.card .quiet div,.card .quiet span,.card .strong .quiet,.card .same{color:#9ca3af!important}
.card .better{color:#4ade80!important}.card .worse{color:#f87171!important}
.card .link,.card .label div,.card .label span{color:#a5b4fc!important}
.card .cell,.card .rule p{border-color:#2b364b!important}
.card .note{background-color:#1e293b!important}
}
[data-ogsb] .card,[data-ogsb] .card>table{background-color:#151d2e!important}
[data-ogsc] .card div,[data-ogsc] .card td,[data-ogsc] .card span{color:#e5e7eb!important}
[data-ogsc] .card .quiet,[data-ogsc] .card .quiet span{color:#9ca3af!important}
[data-ogsc] .card .better{color:#4ade80!important}[data-ogsc] .card .worse{color:#f87171!important}`;
