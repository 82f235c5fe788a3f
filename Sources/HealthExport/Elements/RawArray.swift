/// A growable array of plain values in raw memory, for tables that are refilled per chunk.
///
/// `Array` costs a retain and an exclusivity check for each append from a parser's C callback (measured: libxml2 slows
/// down from 0.35 to 0.55 s per 100 MB); this costs one comparison. `removeAll()` keeps the memory.
@safe
@frozen
@usableFromInline
package struct RawArray<Element: BitwiseCopyable>: ~Copyable, @unchecked Sendable {  // owns its memory alone
    @usableFromInline internal var base: UnsafeMutablePointer<Element>
    @usableFromInline internal var capacity: Int
    /// How many elements it holds.
    @inlinable package var count: Int { length }
    @usableFromInline internal var length: Int

    /// An empty array with room for `capacity` elements.
    @inlinable
    package init(capacity: Int = 256) {
        self.capacity = max(capacity, 16)
        unsafe base = .allocate(capacity: self.capacity)
        length = 0
    }

    @inlinable deinit { unsafe base.deallocate() }

    /// Removes all elements and keeps the memory.
    @inlinable
    package mutating func removeAll() { length = 0 }

    /// Removes the elements from `count` on.
    @inlinable
    package mutating func truncate(to count: Int) { length = min(length, max(count, 0)) }

    /// Adds one element at the end.
    @inlinable
    package mutating func append(_ element: Element) {
        if count == capacity { grow(to: count + 1) }
        unsafe (base + count).initialize(to: element)
        length += 1
    }

    /// Adds a copy of `elements` at the end and returns the index of the first.
    @inlinable
    @discardableResult
    package mutating func append(copyOf elements: UnsafePointer<Element>, count added: Int) -> Int {
        if count + added > capacity { grow(to: count + added) }
        unsafe (base + count).update(from: elements, count: added)
        length += added
        return count - added
    }

    /// Makes room for `extra` more elements, counts them, and returns a pointer to the first.
    @inlinable
    package mutating func extend(by extra: Int) -> UnsafeMutablePointer<Element> {
        if count + extra > capacity { grow(to: count + extra) }
        length += extra
        return unsafe base + (count - extra)
    }

    /// Makes room for `extra` more elements without counting them.
    @inlinable
    package mutating func reserve(_ extra: Int) {
        if count + extra > capacity { grow(to: count + extra) }
    }

    /// The element at `index`, which must be below `count`.
    package subscript(index: Int) -> Element {
        @inlinable
        get {
            precondition(index >= 0 && index < count)
            return unsafe base[index]
        }
        @inlinable
        set {
            precondition(index >= 0 && index < count)
            unsafe base[index] = newValue
        }
    }

    /// Lends the elements to `body`; the pointer is invalid afterwards.
    @inlinable
    package borrowing func withElements<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeBufferPointer<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeBufferPointer(start: base, count: count))
    }

    /// Lends the elements to `body` for changes; the pointer is invalid afterwards.
    @inlinable
    package mutating func withMutableElements<Result: ~Copyable, Failure: Error>(
        _ body: (UnsafeMutableBufferPointer<Element>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(UnsafeMutableBufferPointer(start: base, count: count))
    }

    @usableFromInline
    @inline(never)
    mutating func grow(to needed: Int) {
        let larger = max(capacity * 2, needed)
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: larger)
        unsafe memory.update(from: base, count: count)
        unsafe base.deallocate()
        unsafe base = memory
        capacity = larger
    }
}
