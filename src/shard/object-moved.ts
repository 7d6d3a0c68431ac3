/** The object, or what defines its type, has changed while it was converted: it is done again. */
export class ObjectMoved extends Error {
  override readonly name = 'ObjectMoved';
}
