/** Where the events of a watch end, which follow each other as lines or as binary frames. */
const LINE_FEED = 0x0a;
/** Of the length, big-endian, before a frame. */
export const FRAME_LENGTH_BYTES = 4;

/** The end of the event at `start`; that of the bytes where a last line has no end. */
export function endOfEvent(
  events: Uint8Array,
  start: number,
  encoding: 'json' | 'yaml' | 'protobuf',
): number {
  if (encoding === 'protobuf') {
    const view = new DataView(events.buffer, events.byteOffset, events.length);
    return start + FRAME_LENGTH_BYTES + view.getUint32(start);
  }
  const end = events.indexOf(LINE_FEED, start) + 1;
  return end === 0 ? events.length : end;
}
