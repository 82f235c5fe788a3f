/// The person who signs in, as far as a sign-in needs one.
public protocol SignInInteraction: Sendable {
    /// Shows the address to open in a browser, and opens it there if the person wants that.
    func showAuthorization(url: String) async

    /// The address that the browser was sent back to, if the person pastes it; `nil` where nobody will.
    func pastedRedirect() async -> String?

    /// Shows the code and the address for another device.
    func show(_ prompt: DeviceCodePrompt) async

    /// Says that the server refused a scope that it does not list, and is asked once more without it: the person gets
    /// another address or code.
    func showSecondRequest(without scope: String) async
}

extension SignInInteraction {
    /// Says nothing.
    public func showSecondRequest(without scope: String) async {}
}

/// What a person needs to sign in on another device (RFC 8628, section 3.3).
public struct DeviceCodePrompt: Sendable, Equatable {
    /// The short code to type in, such as `WDJB-MJHT`.
    public let userCode: String
    /// The address to open.
    public let verificationURL: String
    /// The address with the code in it; absent where the server makes none.
    public let completeURL: String?
}
