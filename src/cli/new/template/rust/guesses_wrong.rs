//! Asks nothing and hopes that the secret is in the middle.

fn main() {
    let mut n = String::new();
    std::io::stdin().read_line(&mut n).expect("a line with n");
    let n: u32 = n.trim().parse().expect("a number");
    println!("! {}", n.div_ceil(2));
}
